@echo off
rem Builds Workhorse with nothing but a JDK on the machine: installs, once, the Maven that is
rem pinned in .mvn\wrapper\maven-wrapper.properties and runs it. See mvnw.
setlocal
set "WRAPPER=%~dp0.mvn\wrapper"
for /f "usebackq eol=# tokens=1,* delims==" %%a in ("%WRAPPER%\maven-wrapper.properties") do set "MVNW_%%a=%%b"
if not "%MVNW_URL%"=="" set "MVNW_distributionUrl=%MVNW_URL%"
if "%MAVEN_USER_HOME%"=="" set "MAVEN_USER_HOME=%USERPROFILE%\.m2"
set "DISTS=%MAVEN_USER_HOME%\wrapper\dists"
set "MAVEN_HOME=%DISTS%\apache-maven-%MVNW_distributionVersion%"
set "JAVA=java"
if not "%JAVA_HOME%"=="" set "JAVA=%JAVA_HOME%\bin\java"
if not exist "%MAVEN_HOME%\bin\mvn.cmd" (
  echo mvnw: installing Maven %MVNW_distributionVersion% from %MVNW_distributionUrl% 1>&2
  "%JAVA%" "%WRAPPER%\InstallMaven.java" "%MVNW_distributionUrl%" "%MVNW_distributionSha512Sum%" "%DISTS%\apache-maven-%RANDOM%.zip" "%MAVEN_HOME%" || exit /b 1
)
call "%MAVEN_HOME%\bin\mvn.cmd" %*
exit /b %ERRORLEVEL%
